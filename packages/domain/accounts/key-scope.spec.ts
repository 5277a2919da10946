import { expect, it } from "vitest";
import { assertScope, keyScopes, scopesToGrant } from "./api-key.ts";

it("needs all scopes where an operation names none", () => {
  expect(() => assertScope({ scopes: ["edits", "read", "webhooks"] }, [])).toThrow('lacks the scope "keys"');
});

it("grants in one order, whatever the request's", () => {
  expect(scopesToGrant({ scopes: keyScopes }, ["keys", "edits"])).toEqual(["edits", "keys"]);
});
