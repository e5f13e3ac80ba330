import { test } from '@japa/runner'
import { parseReply, refusalKind } from '#app/suppressions/values/refusal_kind'

/** What mail servers say when they refuse a recipient. */
const REPLIES: Record<string, 'hard' | 'soft' | null> = {
  '550 5.1.1 <a@b.example>: Recipient address rejected: User unknown': 'hard',
  '550-5.1.1 The email account that you tried to reach does not exist.': 'hard',
  '550 5.1.10 RESOLVER.ADR.RecipientNotFound': 'hard',
  '550 5.2.1 The email account that you tried to reach is inactive.': 'hard',
  '550 5.4.1 Recipient address rejected: Access denied.': 'hard',
  '550 No such user here': 'hard',
  '551 User not local': 'hard',
  '553 Mailbox name not allowed': 'hard',
  '556 The domain accepts no mail': 'hard',
  '552 5.2.2 The mailbox is full': 'soft',
  '552 Quota exceeded': 'soft',
  '550 5.7.1 <a@b.example>: Relay access denied': null,
  '550 5.7.26 Unauthenticated email is not accepted': null,
  '550 5.1.0 <no-reply@acme.example> sender rejected': null,
  '550 5.1.8 Sender address rejected: Domain not found': null,
  '550 relay not permitted': null,
  '550 Message rejected as spam': null,
  '530 5.7.0 Authentication required': null,
  '554 Transaction failed': null,
  '554 5.7.1 Service unavailable; client host blocked': null,
  '503 Bad sequence of commands': null,
  'the connection was lost': null,
}

test.group('The refusal of a recipient', () => {
  test('counts only if it is about the mailbox: {0}')
    .with(Object.entries(REPLIES))
    .run(({ assert }, [reply, expected]) => {
      assert.equal(refusalKind(parseReply(reply)), expected)
    })
})
