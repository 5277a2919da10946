import { expect, it } from "vitest";
import { assertScope, keyScopes, scopesOfKey, scopesToGrant } from "./key-scope.ts";

it("lets a key of an earlier version do everything", () => {
  expect(scopesOfKey({})).toEqual(keyScopes);
  for (const scope of keyScopes) assertScope({}, [scope]);
  assertScope({}, []);
});

it("needs all scopes where an operation names none", () => {
  expect(() => assertScope({ scopes: ["edits", "read", "webhooks"] }, [])).toThrow('lacks the scope "keys"');
});

it("grants in one order, whatever the request's", () => {
  expect(scopesToGrant({}, ["keys", "edits"])).toEqual(["edits", "keys"]);
});
