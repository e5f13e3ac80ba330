export const STYLE = `
  :root {
    color-scheme: light dark;
    --ink: #1d2330; --soft: #565f73; --line: #c9cfdc; --paper: #fff; --ground: #eef1f7;
    --accent: #3546c4; --accent-ink: #fff; --tint: #eceffc; --alarm: #a31526; --alarm-tint: #fdecee;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --ink: #eceef4; --soft: #a9b1c4; --line: #454d60; --paper: #1c212c; --ground: #12151c;
      --accent: #a5b0ff; --accent-ink: #11163a; --tint: #262d45; --alarm: #ff9aa5; --alarm-tint: #3a1d22;
    }
  }
  * { box-sizing: border-box; }
  body {
    margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem 1rem;
    background: var(--ground); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
  }
  main {
    width: 100%; max-width: 27rem; padding: 2rem; background: var(--paper);
    border: 1px solid var(--line); border-radius: 1rem; overflow-wrap: anywhere;
  }
  main.wide { max-width: 60rem; align-self: start; }
  table { width: 100%; border-collapse: collapse; }
  th, td { padding: .5rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
  pre { white-space: pre-wrap; font-size: .875rem; }
  iframe { width: 100%; height: 32rem; border: 1px solid var(--line); border-radius: .5rem; background: #fff; }
  h1 { margin: 0 0 .25rem; font-size: 1.5rem; line-height: 1.25; }
  h2 { margin: 1.75rem 0 .5rem; font-size: 1rem; }
  p { margin: 0 0 1rem; }
  main > :last-child { margin-bottom: 0; }
  button + p { margin-top: 1rem; }
  .soft { color: var(--soft); }
  .small { font-size: .875rem; }
  .alarm { padding: .75rem 1rem; border-radius: .5rem; background: var(--alarm-tint); color: var(--alarm); }
  label { display: block; margin: 0 0 .25rem; font-weight: 600; }
  input {
    width: 100%; margin: 0 0 1rem; padding: .625rem .75rem; font: inherit; color: inherit;
    background: transparent; border: 1px solid var(--soft); border-radius: .5rem;
  }
  button { width: 100%; font: inherit; border-radius: .5rem; cursor: pointer; }
  .primary {
    padding: .625rem; font-weight: 600; color: var(--accent-ink); background: var(--accent);
    border: 1px solid var(--accent);
  }
  ul { list-style: none; margin: 0 0 1rem; padding: 0; display: grid; gap: .5rem; }
  .account {
    display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem;
    padding: .625rem .875rem; border-radius: .5rem;
    text-align: start; color: inherit; background: transparent; border: 1px solid var(--line);
  }
  button.account:hover { background: var(--tint); border-color: var(--accent); }
  .account strong, .account span { display: block; }
  .description { flex: none; color: var(--soft); font-size: .875rem; }
  code { font-family: ui-monospace, monospace; }
  a { color: var(--accent); }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`
