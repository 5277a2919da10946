/** The edit as a program: for the command line, in TypeScript or in Python. */
import type { Job } from "@packshot/sdk";
import { useState } from "react";
import { CodeBlock } from "../components/code-block.tsx";
import { Dialog } from "../components/dialog.tsx";
import { type Tab, Tabs } from "../components/tabs.tsx";
import type { EditRequest, Parameters, Photo } from "./edit.ts";
import { curlProgram, pythonProgram, typescriptProgram } from "./edit-programs.ts";
import { extensionOf } from "./results.ts";

interface CopyAsProps {
  readonly job: Job;
  readonly photo: Photo;
  readonly request: EditRequest;
  readonly onClose: () => void;
}

const programs = { curl: curlProgram, typescript: typescriptProgram, python: pythonProgram } as const;
type Language = keyof typeof programs;
const tabs: readonly Tab<Language>[] = [
  { id: "curl", title: "curl" },
  { id: "typescript", title: "TypeScript" },
  { id: "python", title: "Python" },
];

export function CopyAs({ job, photo, request, onClose }: CopyAsProps) {
  const [language, setLanguage] = useState<Language>("curl");
  const text = programs[language]({
    baseUrl: window.location.origin,
    request: { ...request, parameters: withSeed(request.parameters, job) },
    photo: photo.file,
    extension: extensionOf(job),
  });
  return (
    <Dialog title="This edit as a program" onClose={onClose}>
      <Tabs label="Language" tabs={tabs} selected={language} onSelect={setLanguage}>
        <CodeBlock text={text} what="program" />
      </Tabs>
      <p className="hint">The key is not in it: put one into the environment as PACKSHOT_KEY.</p>
    </Dialog>
  );
}

/** The seed that was drawn makes it the same image. */
function withSeed(parameters: Parameters, { tool, parameters: { seed } }: Job): Parameters {
  return tool === "mask" ? parameters : { ...parameters, seed };
}
