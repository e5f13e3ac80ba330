import { InvalidDocument, parseDocument } from '@concierge/policy'
import { readText } from '../document.ts'
import { usageFailure } from '../errors.ts'

/** Reads a YAML or JSON file, or stdin for `-`. @throws Failure */
export function readPolicyFile(path: string): Promise<unknown> {
  const text = readText(path)
  return naming(path, () => parseDocument(text))
}

/** Adds the file to the message if a document is not valid. @throws Failure */
export async function naming<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof InvalidDocument) throw usageFailure(`${path}: ${error.faults.join('; ')}`)
    throw error
  }
}
