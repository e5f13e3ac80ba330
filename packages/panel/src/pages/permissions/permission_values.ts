import type { Permission, PermissionBody } from '@/queries/permissions'

/** The fields of the form. A parent is the text of its id, or empty. */
export interface PermissionValues {
  code: string
  name: string
  type: 'binary' | 'tiered'
  groupName: string
  parentPermissionId: string
  global: boolean
  description: string
}

export const EMPTY: PermissionValues = {
  code: '',
  name: '',
  type: 'binary',
  groupName: '',
  parentPermissionId: '',
  global: false,
  description: '',
}

export const valuesOf = (permission: Permission): PermissionValues => ({
  code: permission.code,
  name: permission.name ?? '',
  type: permission.type,
  groupName: permission.groupName ?? '',
  parentPermissionId: String(permission.parentPermissionId ?? ''),
  global: permission.global,
  description: permission.description ?? '',
})

export const bodyOf = (values: PermissionValues): PermissionBody => ({
  code: values.code,
  name: values.name || null,
  type: values.type,
  groupName: values.groupName || null,
  parentPermissionId: values.parentPermissionId ? Number(values.parentPermissionId) : null,
  global: values.global,
  description: values.description || null,
})

/** What follows `concierge` for a change: only what was changed. The command cannot set a type. */
export function updateWords(
  appCode: string,
  permission: Permission,
  values: PermissionValues,
  all: Permission[]
): string[] | null {
  const before = valuesOf(permission)
  if (before.type !== values.type) return null
  const changed = (field: keyof PermissionValues, name: string, value = String(values[field])) =>
    values[field] === before[field] ? [] : [`--${name}`, value]
  const parent = all.find(({ id }) => String(id) === values.parentPermissionId)?.code ?? ''
  const isRenamed = values.code !== before.code
  return [
    'permissions',
    'update',
    appCode,
    permission.code,
    ...changed('code', 'code'),
    ...(isRenamed ? ['--rename'] : []),
    ...changed('name', 'name'),
    ...changed('description', 'description'),
    ...changed('groupName', 'group'),
    ...changed('parentPermissionId', 'parent', parent),
    ...changed('global', 'global'),
    ...(values.global && !before.global ? ['--force'] : []),
  ]
}
