/** A page as somebody has it who has no mouse. */
import type { Locator } from "playwright-core";

/** More than any page has to offer: what is not reached by then is out of the keyboard's reach. */
const pressesMax = 150;

/** Presses Tab until `target` has the focus. */
export async function tabTo(target: Locator): Promise<void> {
  await target.waitFor();
  const { keyboard } = target.page();
  for (let presses = 0; presses < pressesMax; presses += 1) {
    if (await hasFocus(target)) return;
    await keyboard.press("Tab");
  }
  throw new Error(`the keyboard does not reach ${target}`);
}

interface FocusableElement {
  readonly ownerDocument: { readonly activeElement: unknown };
}

export async function hasFocus(target: Locator): Promise<boolean> {
  return await target.evaluate((element: unknown) => {
    return element === (element as FocusableElement).ownerDocument.activeElement;
  });
}

/** Goes to a button or a link, and presses it. */
export async function pressWithKeyboard(target: Locator): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.press("Enter");
}

/** Goes to a field, and writes into it. */
export async function typeInto(target: Locator, text: string): Promise<void> {
  await tabTo(target);
  await target.page().keyboard.type(text);
}
