/** Files dragged from the desktop and dropped, as the browser itself does it: no event of a script's making. */
import type { Page } from "playwright-core";

const copies = 1;

/** Drops the files of these paths in the middle of what is seen of the page; `whileOver` is called while they hang over it. */
export async function dropFiles(page: Page, paths: readonly string[], whileOver = async () => {}): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { width, height } = page.viewportSize()!;
  const data = { items: [], files: [...paths], dragOperationsMask: copies };
  const at = { x: width / 2, y: height / 2, data };
  await devtools.send("Input.dispatchDragEvent", { type: "dragEnter", ...at });
  await devtools.send("Input.dispatchDragEvent", { type: "dragOver", ...at });
  await whileOver();
  await devtools.send("Input.dispatchDragEvent", { type: "drop", ...at });
  await devtools.detach();
}
