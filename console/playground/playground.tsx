/** Drop photos, choose a tool, see before and after. */
import "./playground.css";
import { useEffect, useState } from "react";
import { listAll } from "../api/api.ts";
import { Button } from "../components/button.tsx";
import { ErrorNote } from "../components/error-note.tsx";
import { Loaded } from "../components/loaded.tsx";
import { useAccount, useRead } from "../session/read.ts";
import { DropZone } from "./drop-zone.tsx";
import { type EditRequest, hasEnded } from "./edit.ts";
import { PhotoList } from "./photo-list.tsx";
import { PresetActions } from "./preset-actions.tsx";
import { choiceParameters, requestFor, type Settings, withRequest } from "./product-choice.ts";
import { SettingsForm } from "./settings-form.tsx";
import { Viewer } from "./viewer.tsx";
import { useEdits, usePause, usePhotos, useWorkbench, WorkbenchProvider } from "./workbench.tsx";

export function Playground() {
  return (
    <WorkbenchProvider>
      <Bench />
    </WorkbenchProvider>
  );
}

function Bench() {
  const { board, queue } = useWorkbench();
  const [selectedId, setSelectedId] = useState<string>();
  const photos = usePhotos();
  const tools = useRead(["tools"], (api, signal) => listAll(api.packshot.tools.list({ signal })));
  const presets = useRead(["presets"], (api, signal) => listAll(api.packshot.presets.list({ signal })));
  const { data: account } = useAccount();
  const concurrentJobs = account?.limits.concurrentJobs ?? 1;
  useEffect(() => queue.setSlots(concurrentJobs), [queue, concurrentJobs]);

  const selected = photos.find(({ id }) => id === selectedId) ?? photos[0];
  const { settings, request, change } = useSettings(selected?.id);
  const tool = tools.data?.find(({ id }) => id === request.tool);

  async function add(files: readonly File[]): Promise<void> {
    const bytesMax = account?.limits.maxFileSizeBytes ?? Number.POSITIVE_INFINITY;
    const adding = board.add(files, requestFor(settings), bytesMax);
    queue.start();
    await adding;
    queue.start();
  }

  return (
    <>
      <h1>Playground</h1>
      <LeaveWarning />
      <div className="playground">
        <Loaded read={tools} label="Reading the tools">
          {(tools) => (
            <div className="stack">
              <SettingsForm
                tools={tools}
                presets={presets.data ?? []}
                request={request}
                onChange={(next) => change(next)}
              />
              <PresetActions request={requestFor(settings)} onDeleted={() => change(withoutPreset(request))} />
            </div>
          )}
        </Loaded>
        <div className="stack">
          <DropZone
            hint="or paste them. Each is edited at once with the settings; what is here already stays as it is."
            isSmall={photos.length > 0}
            onPhotos={(files) => void add(files)}
          />
          <PauseNote />
          {selected !== undefined && (
            <Viewer
              key={selected.id}
              photo={selected}
              request={request}
              choosable={choiceParameters(tool?.parameters ?? {})}
              onChoice={(parameters) => change({ ...request, parameters }, selected.id)}
            />
          )}
          {photos.length > 1 && <EditAll settings={settings} />}
          {photos.length > 0 && <PhotoList selectedId={selected?.id} onSelect={setSelectedId} />}
        </div>
      </div>
    </>
  );
}

function withoutPreset({ preset: _, ...request }: EditRequest): EditRequest {
  return request;
}

/** What the form has for the photo that is shown. */
function useSettings(shownId: string | undefined) {
  const workbench = useWorkbench();
  const [settings, setSettings] = useState(workbench.settings);
  const hasOwnChoice = shownId !== undefined && settings.choices.has(shownId);

  /** `chosenOn`: the photo on which the product was chosen just now, or before. */
  function change(request: EditRequest, chosenOn = hasOwnChoice ? shownId : undefined): void {
    const next = withRequest(settings, request, chosenOn);
    workbench.settings = next;
    setSettings(next);
  }

  return { settings, request: requestFor(settings, shownId), change };
}

function EditAll({ settings }: { readonly settings: Settings }) {
  const { board, queue } = useWorkbench();
  const photos = usePhotos();
  function editAll(): void {
    for (const { id } of photos) board.addEdit(id, requestFor(settings, id));
    queue.start();
  }
  return (
    <div className="bar">
      <Button onClick={editAll}>{`Edit all ${photos.length} again with the settings`}</Button>
    </div>
  );
}

/** Photos that were not sent yet are known to this tab alone. Shows nothing: only this is rendered when an edit changes. */
function LeaveWarning() {
  const edits = useEdits();
  const isBusy = edits.some((edit) => !hasEnded(edit));
  useEffect(() => {
    if (!isBusy) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", warn);
    return () => window.removeEventListener("beforeunload", warn);
  }, [isBusy]);
  return null;
}

/** Why edits wait, and until when. */
export function PauseNote() {
  const pause = usePause();
  const { queue } = useWorkbench();
  if (pause === undefined || pause.kind === "unreachable") return null;
  if (pause.kind === "credits") {
    return (
      <div className="stack">
        <ErrorNote error={pause.error} />
        <Button onClick={queue.resume}>Go on sending</Button>
      </div>
    );
  }
  return (
    <>
      <ErrorNote error={pause.error} />
      <p className="hint">The photos wait, and go on by themselves.</p>
    </>
  );
}
