import type { useI18n } from 'vue-i18n'
import type { Broadcast } from '@/queries/broadcasts'

type Translate = ReturnType<typeof useI18n>['t']

/** To whom it goes, in a few words. */
export function audienceText(t: Translate, audience: Broadcast['audience']): string {
  const kind = audience.kind as 'emails' | 'application' | 'role' | 'all'
  const role = 'roleCode' in audience ? audience.roleCode : ''
  return t(`broadcasts.audienceOf.${kind}`, { role })
}
