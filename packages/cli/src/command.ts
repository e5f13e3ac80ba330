import { type Command, type CommandOptions, InvalidArgumentError } from 'commander'
import { isObject } from './settings/profile.ts'

/**
 * Adds a command with examples in its help.
 *
 * @param examples what follows an empty line are notes, which its own help shows above the options
 */
export function command(
  parent: Command,
  usage: string,
  summary: string,
  examples: string[],
  options: CommandOptions = {}
) {
  const end = examples.includes('') ? examples.indexOf('') : examples.length
  const notes = examples.slice(end + 1).join(' ')
  const lines = examples.slice(0, end).map((each) => `  ${each}`)
  return parent
    .command(usage, options)
    .configureHelp({ showGlobalOptions: true })
    .summary(summary)
    .description(notes === '' ? summary : `${summary}\n\n${notes}`)
    .addHelpText('after', ['', 'Examples:', ...lines].join('\n'))
}

export function group(parent: Command, name: string, summary: string) {
  return parent.command(name).description(summary).helpCommand(false)
}

export function positiveInteger(text: string): number {
  const number = Number(text)
  if (Number.isSafeInteger(number) && number > 0) return number
  throw new InvalidArgumentError('It must be a positive integer.')
}

export function wholeNumber(text: string): number {
  const number = Number(text)
  if (text.trim() !== '' && Number.isSafeInteger(number) && number >= 0) return number
  throw new InvalidArgumentError('It must be a whole number, 0 or more.')
}

export function booleanValue(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true'
  throw new InvalidArgumentError('It must be true or false.')
}

export function jsonObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Reported below.
  }
  throw new InvalidArgumentError('It must be a JSON object.')
}

/** Collects the values of a repeatable option. */
export const appendValue = (text: string, before: string[] = []) => [...before, text]

export const codeList = (text: string) =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')

/**
 * Clears a value with an empty string. Not an option parser: commander turns their null into ''.
 */
export const textOrNull = (text: string) => (text === '' ? null : text)
