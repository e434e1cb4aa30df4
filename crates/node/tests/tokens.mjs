// One side of a token's way: makes one, or goes on from one. To be evaluated in the folder of the package.
import { approval, approve, createRunner, hostFunction, sealed } from 'intermission'
const runner = createRunner({
  hostFunctions: {
    users: { find: hostFunction({ input: { type: 'object' }, run: () => new Map([['name', 'ann']]) }) },
    mail: approval(hostFunction({ run: (to) => `node sent to ${to.get('name')}` })),
  },
  codec: sealed({ keys: process.env.KEY }),
  audience: 'post',
})
if (process.env.TOKEN === undefined) {
  const put = await runner.run(process.env.SCRIPT)
  process.stdout.write(await runner.encode(put.continuation, 'user 7'))
} else {
  const { interruptions } = await runner.inspect(process.env.TOKEN, 'user 7')
  const done = await runner.resume(process.env.TOKEN, { context: 'user 7', resolutions: [approve(interruptions[0].id)] })
  process.stdout.write(`${done.value[0].get('name')}, ${done.value[1]}`)
}
