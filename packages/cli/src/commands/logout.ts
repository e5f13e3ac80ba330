import type { Command } from 'commander'
import { command } from '../command.ts'
import { usageFailure } from '../errors.ts'
import { withSession } from '../session.ts'
import { parseProfileName } from '../settings/profile.ts'
import { changeProfiles } from '../settings/profile_file.ts'
import { say } from '../terminal/say.ts'

export function logout(program: Command): void {
  command(program, 'logout', 'Remove the credentials of a profile', [
    'concierge logout',
    'concierge logout --profile staging',
  ]).action(
    withSession((session) => {
      changeProfiles(({ all, current }) => {
        const name = session.options.profile ?? current
        const profile = name === null ? undefined : all.get(parseProfileName(name))
        if (name === null || profile === undefined) throw usageFailure('You are not signed in')
        all.set(name, { url: profile.url })
        say(`Removed the credentials of profile ${name}`)
      })
    })
  )
}
