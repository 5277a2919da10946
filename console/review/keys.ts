import { useEffect, useRef } from "react";

type Keys = Readonly<Record<string, () => void>>;

/** Single keys, wherever the focus is but in a field that takes text. */
export function useKeys(isOn: boolean, keys: Keys): void {
  const latest = useRef(keys);
  useEffect(() => {
    latest.current = keys;
  });
  useEffect(() => {
    if (!isOn) return;
    function press(event: KeyboardEvent): void {
      const { target } = event;
      const key = event.key.toLowerCase();
      if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || !Object.hasOwn(latest.current, key)) return;
      if (target instanceof HTMLElement && target.matches("input:not([type=checkbox], [type=range]), select, textarea"))
        return;
      event.preventDefault();
      latest.current[key]!();
    }
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [isOn]);
}
