import type { LocationQuery, LocationQueryRaw } from 'vue-router'
import type { Question } from '@/queries/access'

const FIELDS = ['email', 'permission', 'level', 'resourceType', 'resourceId'] as const

/** How many questions are shown side by side. */
export const MOST_QUESTIONS = 4

function questionOf(params: URLSearchParams): Question | null {
  const { email, permission, level, resourceType, resourceId } = Object.fromEntries(params)
  if (!email || !permission) return null
  const hasResource = Boolean(resourceType && resourceId)
  return {
    email,
    permission,
    level: level === 'view' || level === 'edit' ? level : null,
    resourceType: hasResource ? resourceType! : null,
    resourceId: hasResource ? resourceId! : null,
  }
}

/** The questions in a URL: the first in parameters of its own, the others in `also`. */
export function questionsIn(query: LocationQuery): Question[] {
  const first = new URLSearchParams(
    FIELDS.flatMap((field) => (query[field] ? [[field, String(query[field])]] : []))
  )
  const also = [query.also ?? []].flat().map((text) => new URLSearchParams(text ?? ''))
  return [first, ...also]
    .map(questionOf)
    .filter((question) => question !== null)
    .slice(0, MOST_QUESTIONS)
}

const present = (question: Question) =>
  Object.fromEntries(FIELDS.flatMap((field) => (question[field] ? [[field, question[field]]] : [])))

export function queryOf([first, ...others]: Question[]): LocationQueryRaw {
  return {
    ...(first && present(first)),
    ...(others.length > 0 && {
      also: others.map((question) => new URLSearchParams(present(question)).toString()),
    }),
  }
}

/** What follows `concierge` to ask the same. */
export function asWords(appCode: string, question: Question): string[] {
  const { email, permission, level, resourceType, resourceId } = question
  return [
    'explain',
    appCode,
    permission,
    '--for',
    email,
    ...(level ? ['--level', level] : []),
    ...(resourceType ? ['--resource', `${resourceType}:${resourceId}`] : []),
  ]
}
