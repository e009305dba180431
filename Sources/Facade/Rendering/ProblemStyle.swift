import Crypto
import SecretMemory

/// How an error page looks, and the policy that lets it be nothing else.
enum ProblemStyle {
    /// The whole style sheet. Nothing is loaded.
    static let sheet = """

        :root { color-scheme: light dark; --ink: #1b1d21; --soft: #555c66; --line: #d7dbe0; --paper: #fff; --tint: #f1f3f6; }
        @media (prefers-color-scheme: dark) {
          :root { --ink: #e8eaed; --soft: #a2a9b4; --line: #3a3f47; --paper: #16181c; --tint: #23262c; }
        }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--paper); color: var(--ink);
          font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word; }
        main { max-width: 42rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
        h1 { margin: .25rem 0 .5rem; font-size: 1.75rem; line-height: 1.2; }
        h2 { margin: 2rem 0 .5rem; font-size: 1.1rem; }
        p { margin: .5rem 0; }
        .code { display: flex; flex-wrap: wrap; gap: .5rem; color: var(--soft); }
        .meaning { font-size: 1.1rem; }
        .note { margin-top: 2rem; color: var(--soft); font-size: .9rem; }
        code { padding: .1em .3em; border-radius: .25em; background: var(--tint);
          font: .9em/1.4 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
        table { width: 100%; border-collapse: collapse; }
        th, td { padding: .6rem .75rem .6rem 0; border-bottom: 1px solid var(--line); text-align: left;
          vertical-align: top; }
        th { font-weight: 600; }
        thead th { color: var(--soft); font-size: .9rem; }
        tbody th { width: 45%; font-weight: 400; }
        @media (max-width: 30rem) {
          thead { display: none; }
          tbody tr { display: block; border-bottom: 1px solid var(--line); padding: .6rem 0; }
          tbody th, tbody td { display: block; width: auto; padding: 0; border: 0; }
          tbody th { color: var(--soft); font-size: .9rem; }
        }

        """

    /// Nothing may run, load, frame or be sent; only this very style sheet counts.
    static let policy = """
        default-src 'none'; style-src 'sha256-\(Base64.encode(SHA256.digest(of: Array(sheet.utf8))))'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """
}
