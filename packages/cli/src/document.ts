import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { usageFailure } from './errors.ts'
import { isObject } from './settings/profile.ts'

export type Fields = Record<string, unknown>

/**
 * Reads an object from a JSON or YAML file, or from stdin for `-`.
 *
 * @throws Failure
 */
export function readDocument(path: string): Fields {
  const content = parseOrFail(readText(path), path === '-' ? 'The input' : path)
  if (isObject(content)) return content
  throw usageFailure(`${path} must contain an object`)
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
    return parse(text)
  } catch {
    throw usageFailure(`${what} is neither JSON nor YAML`)
  }
}

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
