/** Writes docs/errors.md from the catalogue of error codes; a test keeps the two equal. */

import { writeFileSync } from "node:fs";
import { errorsDocument } from "./errors-document.ts";

writeFileSync(new URL("../docs/errors.md", import.meta.url), errorsDocument());
