/** The board, its queue and the settings of whoever is signed in, for the components of the playground. */
import { createContext, type ReactNode, useContext, useSyncExternalStore } from "react";
import type { Api } from "../api/api.ts";
import { queryClient, serverStatus } from "../api/server-status.ts";
import { readAccountAgain } from "../session/read.ts";
import { useSession } from "../session/session.tsx";
import { type Board, createBoard } from "./board.ts";
import type { Edit, Photo } from "./edit.ts";
import { createEditQueue, type EditQueue, type Pause } from "./edit-queue.ts";
import { type Candidate, candidatesOf, type Settings } from "./product-choice.ts";

export interface Workbench {
  readonly board: Board;
  readonly queue: EditQueue;
  /** When the form was last seen. */
  settings: Settings;
}

/** They live as long as somebody is signed in, also while another page is shown. */
const workbenches = new WeakMap<Api, Workbench>();
const WorkbenchContext = createContext<Workbench | undefined>(undefined);

function workbenchOf(api: Api, signal: AbortSignal): Workbench {
  const known = workbenches.get(api);
  if (known !== undefined) return known;
  const board = createBoard();
  const onEnd = () => readAccountAgain(queryClient);
  const queue = createEditQueue({ api, board, serverStatus, signal, onEnd });
  const workbench: Workbench = {
    board,
    queue,
    settings: { request: { tool: "mask", parameters: {} }, choices: new Map() },
  };
  workbenches.set(api, workbench);
  return workbench;
}

export function WorkbenchProvider({ children }: { readonly children: ReactNode }) {
  const { session } = useSession();
  if (session === null) return null;
  return <WorkbenchContext value={workbenchOf(session.api, session.signal)}>{children}</WorkbenchContext>;
}

export function useWorkbench(): Workbench {
  const workbench = useContext(WorkbenchContext);
  if (workbench === undefined) throw new Error("useWorkbench belongs below WorkbenchProvider");
  return workbench;
}

export function usePhotos(): readonly Photo[] {
  const { board } = useWorkbench();
  return useSyncExternalStore(board.subscribe, board.photos);
}

export function useEdits(): readonly Edit[] {
  const { board } = useWorkbench();
  return useSyncExternalStore(board.subscribe, board.edits);
}

/** Renders only when this edit changes. */
export function useEdit(id: string): Edit | undefined {
  const { board } = useWorkbench();
  return useSyncExternalStore(board.subscribe, () => board.edit(id));
}

export function useCandidates({ editIds }: Photo): readonly Candidate[] {
  const { board } = useWorkbench();
  return useSyncExternalStore(board.subscribe, () => candidatesOf(editIds.flatMap((id) => board.edit(id) ?? [])));
}

export function usePause(): Pause | undefined {
  const { queue } = useWorkbench();
  return useSyncExternalStore(queue.subscribe, queue.pause);
}
