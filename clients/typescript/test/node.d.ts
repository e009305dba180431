// What the tests use of Node.js, so that they build without Node's own types.
declare module "node:test" {
  export default function test(name: string, body: () => void | Promise<void>): void;
}
declare module "node:assert/strict" {
  interface Assert {
    ok(value: unknown, message?: string): asserts value;
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    notEqual(actual: unknown, expected: unknown, message?: string): void;
    throws(body: () => unknown, expected?: unknown, message?: string): void;
    rejects(body: Promise<unknown> | (() => Promise<unknown>), expected?: unknown): Promise<void>;
  }
  const assert: Assert;
  export default assert;
}
declare module "node:fs" {
  export function readFileSync(path: URL): Uint8Array;
  export function readdirSync(path: URL): string[];
}
declare module "node:util" {
  export function inspect(value: unknown, options?: object): string;
}
declare const process: { argv: string[]; exit(code: number): never };
