/** What the tools that draw more than a cut-out make of one, without how long it took. */
import { editWithScene } from "../../services/inference/edits/tools/ai-bg.ts";
import { editWithShadow } from "../../services/inference/edits/tools/ai-shadows.ts";
import type { EditedImage } from "../../services/inference/imaging/pixels/image.ts";

export async function editedWithScene(...given: Parameters<typeof editWithScene>): Promise<EditedImage> {
  const { edited } = await editWithScene(...given);
  return edited;
}

export async function editedWithShadow(...given: Parameters<typeof editWithShadow>): Promise<EditedImage> {
  const { edited } = await editWithShadow(...given);
  return edited;
}
