import type { TemplateVariable } from '#app/notifications/values/template_variable'
import { mayBeSecret } from '#app/notifications/values/secret_variables'

export const MASK = '***'

/** Shorter values are left alone, because they would match parts of other words. */
const MIN_REDACTED_LENGTH = 4

/** The keys of variables whose values only the recipient sees (delivery.md#sensitive-variables). */
export function sensitiveKeys(
  type: { system: boolean } | null,
  template: { variables: TemplateVariable[] } | null,
  data: Record<string, unknown>
): string[] {
  const declared = template?.variables.filter(({ sensitive }) => sensitive) ?? []
  const secret = type?.system ? Object.keys(data).filter(mayBeSecret) : []
  return [...new Set([...declared.map(({ key }) => key), ...secret])]
}

export function isSensitive(path: readonly string[], keys: string[]): boolean {
  return keys.some((key) => key.split('.').every((name, index) => path[index] === name))
}

/** A copy with `***` in place of the values. */
export function maskVariables(
  data: Record<string, unknown>,
  keys: string[]
): Record<string, unknown> {
  const masked = structuredClone(data)
  for (const key of keys) {
    const path = key.split('.')
    const last = path.pop()!
    const parent = path.reduce<unknown>(ownValue, masked)
    if (isContainer(parent) && Object.hasOwn(parent, last)) parent[last] = MASK
  }
  return masked
}

/** The texts that must not be recorded when a server quotes them. */
export function sensitiveTexts(data: Record<string, unknown>, keys: string[]): string[] {
  return keys
    .flatMap((key) => textsIn(key.split('.').reduce<unknown>(ownValue, data)))
    .filter((text) => text.length >= MIN_REDACTED_LENGTH)
}

function textsIn(value: unknown): string[] {
  if (isContainer(value)) return Object.values(value).flatMap(textsIn)
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : []
}

type Container = Record<string, unknown>

const isContainer = (value: unknown): value is Container =>
  typeof value === 'object' && value !== null

const ownValue = (parent: unknown, name: string): unknown =>
  isContainer(parent) && Object.hasOwn(parent, name) ? parent[name] : undefined
