/** The API key lives as long as the tab: in its session storage, and in no address. */
const name = "packshot.key";

export function storedKey(): string | null {
  return sessionStorage.getItem(name);
}

export function storeKey(key: string): void {
  sessionStorage.setItem(name, key);
}

export function forgetKey(): void {
  sessionStorage.removeItem(name);
}
