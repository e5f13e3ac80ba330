import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import { parse } from 'yaml'
import { appendValue } from './command.ts'
import { usageFailure } from './errors.ts'
import { isObject } from './settings/profile.ts'

export type Fields = Record<string, unknown>

/**
 * Reads an object from a JSON or YAML file, or from stdin for `-`.
 *
 * @throws Failure
 */
export function readDocument(path: string): Fields {
  const content = readContent(path)
  if (isObject(content)) return content
  throw usageFailure(`${path} must contain an object`)
}

/**
 * Reads a list from a JSON or YAML file, or from stdin for `-`. An object may contain it.
 *
 * @throws Failure
 */
export function readList(path: string, property: string): unknown[] {
  const content = readContent(path)
  const list = isObject(content) ? content[property] : content
  if (Array.isArray(list)) return list
  throw usageFailure(`${path} must contain a list, or an object with the list ${property}`)
}

function readContent(path: string): unknown {
  return parseOrFail(readText(path), path === '-' ? 'The input' : path)
}

/** @throws Failure */
export function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8')
  } catch (error) {
    throw usageFailure(`${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}

function parseOrFail(text: string, what: string): unknown {
  try {
    return parseJsonOrYaml(text)
  } catch {
    throw usageFailure(`${what} is neither JSON nor YAML`)
  }
}

/** The parser of YAML reads JSON too, but takes minutes for a large file. */
function parseJsonOrYaml(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return parse(text)
  }
}

export const dataOption = () =>
  new Option(
    '--data <name=value>',
    'template value, or a JSON object of values; repeatable'
  ).argParser(appendValue)

export const dataFileOption = () =>
  new Option('--data-file <file>', 'JSON or YAML file with template values; - reads stdin')

/**
 * Template values from a file and from `name=value` pairs or JSON objects, which take precedence.
 *
 * @throws Failure
 */
export function templateData(pairs: string[] = [], file?: string): Fields | undefined {
  if (pairs.length === 0 && file === undefined) return undefined
  const given = file === undefined ? {} : readDocument(file)
  return Object.assign({}, given, ...pairs.map(pair))
}

function pair(text: string): Fields {
  if (text.startsWith('{')) {
    const content = parseOrFail(text, 'The value of --data')
    if (isObject(content)) return content
  }
  const [name, value] = text.split(/=(.*)/s)
  if (name && value !== undefined) return Object.fromEntries([[name, value]])
  throw usageFailure('--data must be name=value or a JSON object')
}
