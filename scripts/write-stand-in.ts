/**
 * A stand-in for an image model, to try `engine: generative` without weights: it paints the rendered scene in a color that the
 * prompt decides.
 *
 *     node scripts/write-stand-in.ts FOLDER
 *     PACKSHOT_MODEL_DIR=FOLDER PACKSHOT_IMAGE_MODEL=stand-in make up
 */
import { writeImageModel } from "../testing/generative/image-model-folder.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("give the folder: node scripts/write-stand-in.ts FOLDER");
  process.exit(2);
}
writeImageModel(folder, "stand-in", { shift: 0.002 });
console.log(`${folder}/stand-in: the reference in the color of the prompt, which is no picture by an image model`);
