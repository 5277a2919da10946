/**
 * The queued requests of one model, in the order in which they should run. The more urgent priority runs first. Inside
 * a priority, tenants share by rows (start-time fair queuing), so that one tenant's flood delays another tenant by at
 * most the batch that already runs. Inside a tenant, the first request runs first. The owner bounds the queue.
 */

export interface QueuedRequest {
  readonly id: number;
  readonly rows: number;
  readonly tenant: string;
  /** 1 is the most urgent. */
  readonly priority: number;
  readonly arrivedAtMs: number;
  readonly deadlineAtMs: number;
  /** Shares no batch with others, because its shapes are dynamic. */
  readonly unbatched: boolean;
}

interface Tenant {
  readonly name: string;
  readonly queue: QueuedRequest[];
  rows: number;
  /** Virtual time at which the tenant's next request starts. */
  startTag: number;
}

interface PriorityLevel {
  readonly priority: number;
  readonly tenants: Map<string, Tenant>;
  /** The start tag of the request that was taken last. */
  virtualTime: number;
  rows: number;
}

export interface FairQueue {
  rows(): number;
  push(request: QueuedRequest): void;
  /** The request that runs next; null when the queue is empty. */
  peek(): QueuedRequest | null;
  /** Removes and returns the request that `peek` returns. */
  shift(): QueuedRequest | null;
  remove(id: number): QueuedRequest | null;
  /**
   * A tenant floods when it has `floodRows` queued rows or more. When another tenant than the head's floods the head's
   * priority, returns the queued rows of the tenants that do not flood; otherwise null.
   */
  rowsOutsideFlood(floodRows: number): number | null;
  /** Rows that run before a request of this tenant and priority that arrives now. */
  rowsAhead(tenant: string, priority: number): number;
  /**
   * The request to displace for this one when the queue is full: the newest request of the tenant with the most queued
   * rows. null: no request should be displaced.
   */
  displacementCandidate(request: QueuedRequest): QueuedRequest | null;
}

/**
 * A tenant that was idle may run this many rows ahead of its turn. Without this burst, a few requests of a modest
 * tenant would run one by one between a flood's requests and take twice as long as alone.
 */
const burstRows = 16;

export function createFairQueue(): FairQueue {
  const levels: PriorityLevel[] = [];
  const byId = new Map<number, QueuedRequest>();

  function getOrCreateLevel(priority: number): PriorityLevel {
    const known = levels.find((level) => level.priority === priority);
    if (known) return known;
    const level = { priority, tenants: new Map<string, Tenant>(), virtualTime: 0, rows: 0 };
    levels.push(level);
    levels.sort((a, b) => a.priority - b.priority);
    return level;
  }

  function next(): { level: PriorityLevel; tenant: Tenant } | null {
    const level = levels.find((each) => each.rows > 0);
    if (!level) return null;
    let first: Tenant | null = null;
    for (const tenant of level.tenants.values()) {
      if (tenant.queue.length === 0) continue;
      if (first === null || tenant.startTag < first.startTag) first = tenant;
    }
    return { level, tenant: first! };
  }

  /** A tenant without queued requests that may use its full burst again is no different from a new tenant. */
  function removeIdleTenants(level: PriorityLevel): void {
    for (const tenant of level.tenants.values()) {
      const hasFullBurst = level.rows === 0 || tenant.startTag <= level.virtualTime - burstRows;
      if (tenant.queue.length === 0 && hasFullBurst) level.tenants.delete(tenant.name);
    }
  }

  function push(request: QueuedRequest): void {
    const level = getOrCreateLevel(request.priority);
    let tenant = level.tenants.get(request.tenant);
    if (!tenant) {
      tenant = { name: request.tenant, queue: [], rows: 0, startTag: level.virtualTime - burstRows };
      level.tenants.set(request.tenant, tenant);
    } else if (tenant.queue.length === 0) {
      tenant.startTag = Math.max(tenant.startTag, level.virtualTime - burstRows);
    }
    tenant.queue.push(request);
    tenant.rows += request.rows;
    level.rows += request.rows;
    byId.set(request.id, request);
  }

  function removeAt(level: PriorityLevel, tenant: Tenant, at: number): QueuedRequest {
    const [request] = tenant.queue.splice(at, 1);
    tenant.rows -= request!.rows;
    level.rows -= request!.rows;
    byId.delete(request!.id);
    return request!;
  }

  function shift(): QueuedRequest | null {
    const found = next();
    if (!found) return null;
    const { level, tenant } = found;
    const request = removeAt(level, tenant, 0);
    level.virtualTime = Math.max(level.virtualTime, tenant.startTag);
    tenant.startTag += request.rows;
    removeIdleTenants(level);
    return request;
  }

  function remove(id: number): QueuedRequest | null {
    const request = byId.get(id);
    if (!request) return null;
    const level = getOrCreateLevel(request.priority);
    const tenant = level.tenants.get(request.tenant)!;
    removeAt(level, tenant, tenant.queue.indexOf(request));
    removeIdleTenants(level);
    return request;
  }

  function rowsAhead(name: string, priority: number): number {
    let ahead = 0;
    for (const level of levels) {
      if (level.priority < priority) ahead += level.rows;
      if (level.priority !== priority) continue;
      const own = level.tenants.get(name)?.rows ?? 0;
      ahead += own;
      // While this tenant's rows run, each other tenant runs as many rows, and one request more.
      for (const tenant of level.tenants.values()) {
        if (tenant.name !== name) ahead += Math.min(tenant.rows, own + 1);
      }
    }
    return ahead;
  }

  function rowsOutsideFlood(floodRows: number): number | null {
    const found = next();
    if (!found || found.tenant.rows >= floodRows) return null;
    const modest = [...found.level.tenants.values()].filter((tenant) => tenant.rows < floodRows);
    const rows = modest.reduce((sum, tenant) => sum + tenant.rows, 0);
    return rows < found.level.rows ? rows : null;
  }

  function displacementCandidate(request: QueuedRequest): QueuedRequest | null {
    const level = levels.findLast((each) => each.rows > 0);
    if (!level || level.priority < request.priority) return null;
    let largest: Tenant | null = null;
    for (const tenant of level.tenants.values()) {
      if (largest === null || tenant.rows > largest.rows) largest = tenant;
    }
    const newest = largest?.queue.at(-1);
    if (!largest || !newest) return null;
    if (level.priority > request.priority) return newest;
    const own = level.tenants.get(request.tenant)?.rows ?? 0;
    // Only from a tenant that keeps more rows than the new request's tenant: two floods must not displace each other.
    return largest.name !== request.tenant && largest.rows - newest.rows >= own + request.rows ? newest : null;
  }

  return {
    rows: () => levels.reduce((sum, level) => sum + level.rows, 0),
    push,
    peek: () => next()?.tenant.queue[0] ?? null,
    shift,
    remove,
    rowsOutsideFlood,
    rowsAhead,
    displacementCandidate,
  };
}
