/** Drop photos, choose a tool, see before and after. */
export function Playground() {
  return <h1>Playground</h1>;
}
