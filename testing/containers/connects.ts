/** Arguments of Node: prints "open" where a connection is made, else why there is none. */
export const connects = (host: string, port: number): readonly string[] => [
  "--eval",
  `require("net").connect({ host: "${host}", port: ${port}, timeout: 3000 })
    .on("connect", () => { console.log("open"); process.exit() })
    .on("timeout", () => { console.log("timeout"); process.exit() })
    .on("error", ({ code }) => console.log(code))`,
];
