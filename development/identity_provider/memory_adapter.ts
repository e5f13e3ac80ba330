import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'

interface Entry {
  payload: AdapterPayload
  expiresAt: number
}

const SWEEP_EVERY_MS = 60_000

/** Keeps sessions, codes and refresh tokens until the process ends. Clients are found elsewhere. */
export function memoryAdapter(
  findClient: (clientId: string) => AdapterPayload | undefined
): AdapterFactory {
  const entries = new Map<string, Entry>()
  let sweptAt = Date.now()

  const find = (key: string) => {
    const entry = entries.get(key)
    return entry && entry.expiresAt > Date.now() ? entry.payload : undefined
  }

  const findWhere = (model: string, field: 'uid' | 'userCode', value: string) =>
    [...entries.keys()]
      .filter((key) => key.startsWith(`${model}:`))
      .map(find)
      .find((payload) => payload?.[field] === value)

  const sweep = () => {
    if (Date.now() - sweptAt < SWEEP_EVERY_MS) return
    sweptAt = Date.now()
    for (const [key, { expiresAt }] of entries) if (expiresAt <= sweptAt) entries.delete(key)
  }

  return (model: string): Adapter => ({
    async upsert(id, payload, expiresIn = Infinity) {
      sweep()
      entries.set(`${model}:${id}`, { payload, expiresAt: Date.now() + expiresIn * 1000 })
    },
    async find(id) {
      return model === 'Client' ? findClient(id) : find(`${model}:${id}`)
    },
    async findByUid(uid) {
      return findWhere(model, 'uid', uid)
    },
    async findByUserCode(userCode) {
      return findWhere(model, 'userCode', userCode)
    },
    async consume(id) {
      const payload = find(`${model}:${id}`)
      if (payload) payload.consumed = Math.floor(Date.now() / 1000)
    },
    async destroy(id) {
      entries.delete(`${model}:${id}`)
    },
    async revokeByGrantId(grantId) {
      for (const [key, { payload }] of entries) {
        if (payload.grantId === grantId) entries.delete(key)
      }
    },
  })
}
