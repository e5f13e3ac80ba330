/** Markup that needs no escaping. */
export class Markup {
  constructor(readonly text: string) {}

  toString() {
    return this.text
  }
}

type Value = string | number | Markup | Markup[]

/** Escapes all values except markup. */
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
