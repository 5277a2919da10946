/** Short messages about what was done, in the corner, which readers of the screen announce. */
import { createContext, type ReactNode, useCallback, useContext, useState } from "react";

type ShowToast = (text: string) => void;

interface Toast {
  readonly id: number;
  readonly text: string;
}

const shownMs = 5_000;
const toastsMax = 4;
const ToastContext = createContext<ShowToast>(() => {});

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const show = useCallback((text: string) => {
    const toast = { id: performance.now(), text };
    setToasts((toasts) => [...toasts, toast].slice(-toastsMax));
    setTimeout(() => setToasts((toasts) => toasts.filter((one) => one !== toast)), shownMs);
  }, []);
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </ToastContext>
  );
}

/** `const toast = useToast(); toast("The key was revoked");` */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}
