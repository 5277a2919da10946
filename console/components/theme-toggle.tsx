/** Light, dark, or as the system has it. */
import { useEffect, useState } from "react";
import { Button } from "./button.tsx";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];
const name = "packshot.theme";

function storedTheme(): Theme {
  const stored = localStorage.getItem(name);
  return themes.find((theme) => theme === stored) ?? "system";
}

export function ThemeToggle() {
  const [theme, setTheme] = useState(storedTheme);
  useEffect(() => {
    localStorage.setItem(name, theme);
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }, [theme]);
  const next = themes[(themes.indexOf(theme) + 1) % themes.length]!;
  return (
    <Button kind="quiet" label={`Theme: ${theme}. Change to ${next}`} onClick={() => setTheme(next)}>
      <span aria-hidden="true">{{ system: "◐", light: "☀", dark: "☾" }[theme]}</span>
    </Button>
  );
}
