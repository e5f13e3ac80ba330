import type { useI18n } from 'vue-i18n'
import type { Explanation, ExplanationStep, Question } from '@/queries/access'

type Translate = ReturnType<typeof useI18n>['t']

/** The names of the rules, by their numbers. */
export const RULES = {
  1: 'active',
  2: 'superAdmin',
  3: 'administrator',
  4: 'override',
  5: 'roles',
  6: 'default',
} as const

export type Rule = keyof typeof RULES

/** What sentences are made of. */
interface Facts extends Record<string, unknown> {
  email: string
  app: string
  permission: string
  type: string
  id: string
  level: string
}

function factsOf(appCode: string, question: Question, level: string | null): Facts {
  const { email, permission, resourceType, resourceId } = question
  const type = resourceType ?? ''
  return { email, app: appCode, permission, type, id: resourceId ?? '', level: level ?? '' }
}

/** The answer in one sentence. */
export function sentence(
  t: Translate,
  appCode: string,
  question: Question,
  { allowed, accessLevel, decidedBy, unknown }: Explanation
): string {
  const facts = factsOf(appCode, question, accessLevel && t(`why.level.${accessLevel}`))
  if (unknown && !allowed) return t(`why.unknown.${unknown}`, facts)
  if (allowed) return t(`why.yes.${RULES[decidedBy]}`, facts)
  if (accessLevel !== null) return t('why.no.level', facts)
  return t(`why.no.${RULES[decidedBy]}`, facts)
}

/** What a rule found, in one line. */
export function finding(
  t: Translate,
  appCode: string,
  question: Question,
  { rule, outcome, evidence }: ExplanationStep,
  { accessLevel }: Explanation
): string {
  const facts = factsOf(appCode, question, accessLevel && t(`why.level.${accessLevel}`))
  const name = RULES[rule]
  if (outcome === 'skipped') {
    return t(question.resourceType ? 'why.step.overrideGlobal' : 'why.step.overrideSkipped', facts)
  }
  if (outcome === 'decided') {
    if (name === 'override')
      return t(`why.step.override${accessLevel ? 'Granted' : 'Denied'}`, facts)
    if (name === 'default') return t('why.step.default', facts)
    return t(`why.decided.${name}`, facts)
  }
  if (name === 'active') return t(`why.step.${evidence.length > 0 ? 'active' : 'noRecord'}`, facts)
  if (name === 'roles') {
    return t('why.step.roles', { ...facts, n: evidence.length }, evidence.length)
  }
  return t(`why.step.${name}`, facts)
}
