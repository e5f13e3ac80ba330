import type { AuditTarget } from '#core/audit/change'

interface Named {
  id: number
  slug: string
}

export const brandTarget = ({ id, slug }: Named): AuditTarget => ({
  kind: 'brand',
  id,
  label: slug,
})

export const userPoolTarget = ({ id, slug }: Named): AuditTarget => {
  return { kind: 'user_pool', id, label: slug }
}

export const languageTarget = ({ code, name }: { code: string; name: string }): AuditTarget => {
  return { kind: 'language', id: code, label: name }
}
