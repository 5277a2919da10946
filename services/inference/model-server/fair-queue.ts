/**
 * Requests that wait for one model, in the order in which they should run: the more urgent priority first; inside a
 * priority the tenants share by rows (start-time fair queuing), so that a flood delays another tenant by at most what
 * already runs; inside a tenant first come, first served. Bounded by its owner.
 */

export interface Waiting {
  readonly id: number;
  readonly rows: number;
  readonly tenant: string;
  /** 1 is the most urgent. */
  readonly priority: number;
  readonly arrivedAtMs: number;
  readonly deadlineAtMs: number;
  /** Shares no batch with others: its shapes are its own. */
  readonly alone: boolean;
}

interface Tenant {
  readonly name: string;
  readonly queue: Waiting[];
  rows: number;
  /** Virtual time at which its next request starts. */
  startTag: number;
}

interface Level {
  readonly priority: number;
  readonly tenants: Map<string, Tenant>;
  /** Virtual time: the start tag of what was taken last. */
  now: number;
  rows: number;
}

export interface FairQueue {
  rows(): number;
  requests(): number;
  push(request: Waiting): void;
  /** What would run next; null when empty. */
  peek(): Waiting | null;
  /** Takes what `peek` shows. */
  shift(): Waiting | null;
  remove(id: number): Waiting | null;
  /**
   * With a flood in the head's priority (a tenant with `flood` rows or more) that the head is no part of: the rows of
   * those who do not flood. Else null.
   */
  rowsBesideFlood(flood: number): number | null;
  /** Rows that will run before a request of this tenant and priority that comes now. */
  rowsAhead(tenant: string, priority: number): number;
  /** Who gives way when the queue is full and this request comes: the newest of the greediest; null: nobody should. */
  givesWayTo(request: Waiting): Waiting | null;
  all(): Waiting[];
}

/**
 * A tenant that was away may run this many rows ahead of its turn. Without it, a modest tenant's small cluster would
 * be dealt out one by one between a flood's requests, and wait twice as long as alone.
 */
const creditRows = 16;

export function createFairQueue(): FairQueue {
  const levels: Level[] = [];
  const byId = new Map<number, Waiting>();

  function levelOf(priority: number): Level {
    const known = levels.find((level) => level.priority === priority);
    if (known) return known;
    const level = { priority, tenants: new Map<string, Tenant>(), now: 0, rows: 0 };
    levels.push(level);
    levels.sort((a, b) => a.priority - b.priority);
    return level;
  }

  function next(): { level: Level; tenant: Tenant } | null {
    const level = levels.find((each) => each.rows > 0);
    if (!level) return null;
    let first: Tenant | null = null;
    for (const tenant of level.tenants.values()) {
      if (tenant.queue.length === 0) continue;
      if (first === null || tenant.startTag < first.startTag) first = tenant;
    }
    return { level, tenant: first! };
  }

  /** A tenant at rest with its full credit is a stranger again. */
  function forget(level: Level): void {
    for (const tenant of level.tenants.values()) {
      const hasFullCredit = level.rows === 0 || tenant.startTag <= level.now - creditRows;
      if (tenant.queue.length === 0 && hasFullCredit) level.tenants.delete(tenant.name);
    }
  }

  function push(request: Waiting): void {
    const level = levelOf(request.priority);
    let tenant = level.tenants.get(request.tenant);
    if (!tenant) {
      tenant = { name: request.tenant, queue: [], rows: 0, startTag: level.now - creditRows };
      level.tenants.set(request.tenant, tenant);
    } else if (tenant.queue.length === 0) {
      tenant.startTag = Math.max(tenant.startTag, level.now - creditRows);
    }
    tenant.queue.push(request);
    tenant.rows += request.rows;
    level.rows += request.rows;
    byId.set(request.id, request);
  }

  function take(level: Level, tenant: Tenant, at: number): Waiting {
    const [request] = tenant.queue.splice(at, 1);
    tenant.rows -= request!.rows;
    level.rows -= request!.rows;
    byId.delete(request!.id);
    return request!;
  }

  function shift(): Waiting | null {
    const found = next();
    if (!found) return null;
    const { level, tenant } = found;
    const request = take(level, tenant, 0);
    level.now = Math.max(level.now, tenant.startTag);
    tenant.startTag += request.rows;
    forget(level);
    return request;
  }

  function remove(id: number): Waiting | null {
    const request = byId.get(id);
    if (!request) return null;
    const level = levelOf(request.priority);
    const tenant = level.tenants.get(request.tenant)!;
    take(level, tenant, tenant.queue.indexOf(request));
    forget(level);
    return request;
  }

  function rowsAhead(name: string, priority: number): number {
    let ahead = 0;
    for (const level of levels) {
      if (level.priority < priority) ahead += level.rows;
      if (level.priority !== priority) continue;
      const own = level.tenants.get(name)?.rows ?? 0;
      ahead += own;
      // While our rows drain, each other tenant drains as many, and one request more.
      for (const tenant of level.tenants.values()) {
        if (tenant.name !== name) ahead += Math.min(tenant.rows, own + 1);
      }
    }
    return ahead;
  }

  function rowsBesideFlood(flood: number): number | null {
    const found = next();
    if (!found || found.tenant.rows >= flood) return null;
    const modest = [...found.level.tenants.values()].filter((tenant) => tenant.rows < flood);
    const rows = modest.reduce((sum, tenant) => sum + tenant.rows, 0);
    return rows < found.level.rows ? rows : null;
  }

  function givesWayTo(request: Waiting): Waiting | null {
    const level = levels.findLast((each) => each.rows > 0);
    if (!level || level.priority < request.priority) return null;
    let greediest: Tenant | null = null;
    for (const tenant of level.tenants.values()) {
      if (greediest === null || tenant.rows > greediest.rows) greediest = tenant;
    }
    const newest = greediest?.queue.at(-1);
    if (!greediest || !newest) return null;
    if (level.priority > request.priority) return newest;
    const own = level.tenants.get(request.tenant)?.rows ?? 0;
    // Only from a share that stays larger than the newcomer's: two floods must not displace each other in turn.
    return greediest.name !== request.tenant && greediest.rows - newest.rows >= own + request.rows ? newest : null;
  }

  return {
    rows: () => levels.reduce((sum, level) => sum + level.rows, 0),
    requests: () => byId.size,
    push,
    peek: () => next()?.tenant.queue[0] ?? null,
    shift,
    remove,
    rowsBesideFlood,
    rowsAhead,
    givesWayTo,
    all: () => [...byId.values()],
  };
}
