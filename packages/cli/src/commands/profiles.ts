import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { usageFailure } from '../errors.ts'
import { withSession } from '../session.ts'
import { profileName } from '../settings/profile.ts'
import { type Profiles, changeProfiles, readProfiles } from '../settings/profile_file.ts'
import { say } from '../terminal/say.ts'

export function profiles(program: Command): void {
  const parent = group(program, 'profiles', 'Services you have signed in to')

  command(parent, 'list', 'List them, without their secrets', ['concierge profiles list']).action(
    withSession((session) => {
      const { current, all } = readProfiles()
      const listed = [...all].map(([name, { url, token, expiresAt, internalKey, checkKey }]) => ({
        name,
        current: name === current,
        url,
        signedIn: token !== undefined,
        expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
        hasInternalKey: internalKey !== undefined,
        hasCheckKey: checkKey !== undefined,
      }))
      session.print(listed)
    })
  )

  command(parent, 'use <name>', 'Use this one from now on', [
    'concierge profiles use production',
  ]).action(
    withSession((_, name: string) => {
      changeProfiles((kept) => {
        known(kept, name)
        kept.current = name
      })
      say(`Using profile ${name}`)
    })
  )

  command(parent, 'remove <name>', 'Forget one', [
    'concierge profiles remove staging --yes',
  ]).action(
    withSession(async (session, name: string) => {
      known(readProfiles(), name)
      await session.confirm(`Forget profile ${name} and its credentials?`)
      changeProfiles((kept) => {
        kept.all.delete(name)
        if (kept.current === name) kept.current = null
      })
      say(`Forgot profile ${name}`)
    })
  )
}

function known({ all }: Profiles, name: string) {
  if (all.has(profileName(name))) return
  throw usageFailure(`There is no profile ${name}`, 'See: concierge profiles list')
}
