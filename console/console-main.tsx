/** The console's entry: renders it into the page. */
import "./styles/theme.css";
import "./styles/components.css";
import "./styles/layout.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/server-status.ts";
import { App } from "./app.tsx";
import { ToastProvider } from "./components/toast.tsx";
import { SessionProvider } from "./session/session.tsx";

createRoot(document.getElementById("console")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <SessionProvider>
          <App />
        </SessionProvider>
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
