// All that is used of Node.js beyond what browsers have too, so that the kit builds without Node's own types.
declare module "node:crypto" {
  export const webcrypto: Crypto;
}
