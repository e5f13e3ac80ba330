import { type Command, InvalidArgumentError } from 'commander'

/** A command below another one, with examples in its help. */
export function command(parent: Command, usage: string, summary: string, examples: string[]) {
  const lines = examples.map((each) => `  ${each}`)
  return parent
    .command(usage)
    .description(summary)
    .addHelpText('after', ['', 'Examples:', ...lines].join('\n'))
}

/** A group of commands; alone it shows them. */
export function group(parent: Command, name: string, summary: string) {
  return parent.command(name).description(summary)
}

/** Reads an option that is a whole number from 1 on. */
export function positive(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It must be a whole number from 1 on.')
}

/** Reads an option that is `true` or `false`. */
export function truth(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new InvalidArgumentError('It must be true or false.')
}

/** Reads an option that may be given several times. */
export const several = (text: string, before: string[] = []) => [...before, text]

/** Reads a list of codes; an empty text is an empty list. */
export const codes = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/** An empty text takes the value away. No option parser: commander turns the null of one into an empty text. */
export const textOrNull = (text: string) => (text === '' ? null : text)
