/** Text that already is HTML. Made by `html` only, or from markup of the library. */
export class Markup {
  constructor(readonly text: string) {}

  toString() {
    return this.text
  }
}

type Value = string | number | Markup | Markup[]

/** A template whose values are escaped, unless they are markup themselves. */
export function html(strings: TemplateStringsArray, ...values: Value[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...values.map(render)))
}

function render(value: Value): string {
  if (Array.isArray(value)) return value.join('')
  return value instanceof Markup ? value.text : escape(String(value))
}

function escape(text: string) {
  return text.replace(/[&<>"'`]/g, (character) => `&#${character.charCodeAt(0)};`)
}
