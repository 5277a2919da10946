/** The entry of the operator's page, which the operator's API serves on its own port. */
import "./styles/theme.css";
import "./styles/components.css";
import "./styles/layout.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/server-status.ts";
import { ToastProvider } from "./components/toast.tsx";
import { OperatorApp } from "./operator/operator-app.tsx";
import { OperatorSessionProvider } from "./operator/operator-session.tsx";

createRoot(document.getElementById("console")!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ToastProvider>
        <OperatorSessionProvider>
          <OperatorApp />
        </OperatorSessionProvider>
      </ToastProvider>
    </QueryClientProvider>
  </StrictMode>,
);
