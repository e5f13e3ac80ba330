import type { Command } from 'commander'
import { command, group } from '../command.ts'
import { usageFailure } from '../errors.ts'
import { withSession } from '../session.ts'
import { parseProfileName } from '../settings/profile.ts'
import { type Profiles, changeProfiles, readProfiles } from '../settings/profile_file.ts'
import { say } from '../terminal/say.ts'

export function profiles(program: Command): void {
  const parent = group(program, 'profiles', 'Manage saved profiles')

  command(parent, 'list', 'List profiles, without their secrets', [
    'concierge profiles list',
  ]).action(
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

  command(parent, 'use <name>', 'Select the current profile', [
    'concierge profiles use production',
  ]).action(
    withSession((_, name: string) => {
      changeProfiles((kept) => {
        requireProfile(kept, name)
        kept.current = name
      })
      say(`Using profile ${name}`)
    })
  )

  command(parent, 'remove <name>', 'Remove a profile', [
    'concierge profiles remove staging --yes',
  ]).action(
    withSession(async (session, name: string) => {
      requireProfile(readProfiles(), name)
      await session.confirm(`Remove profile ${name} and its credentials?`)
      changeProfiles((kept) => {
        kept.all.delete(name)
        if (kept.current === name) kept.current = null
      })
      say(`Removed profile ${name}`)
    })
  )
}

function requireProfile({ all }: Profiles, name: string) {
  if (all.has(parseProfileName(name))) return
  throw usageFailure(`No profile is named ${name}`, 'See: concierge profiles list')
}
