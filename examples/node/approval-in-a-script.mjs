// A script is interrupted by an action that wants a person's approval, is put away, and goes on with the answer: node approval-in-a-script.mjs
// The code is that of the guide for @grundlag/core and @grundlag/sandbox; only what it imports is another package, and what it leaves to its reader is filled in.
import { defineAction, ActionInterrupt, z } from 'intermission/sandbox';
import { SandboxInterrupt } from 'intermission/sandbox';
import { CallLogMismatchError } from 'intermission/sandbox';
import { createSandbox } from 'intermission/sandbox';

const gate = defineAction({
  id: 'gate',
  name: 'Await approval',
  input: z.object({}),
  output: z.object({ approved: z.boolean() }),
  execute: async ({ resumption }) => {
    if (!resumption) {
      throw new ActionInterrupt('awaiting approval', undefined, { token: 'checkpoint' });
    }
    return { approved: resumption.data === 'yes' };
  },
});

const add = defineAction({
  id: 'add',
  name: 'Add two numbers',
  input: z.object({ a: z.number(), b: z.number() }),
  output: z.object({ sum: z.number() }),
  execute: async ({ input }) => {
    console.log(`adding ${input.a} and ${input.b}`);
    return { sum: input.a + input.b };
  },
});

const sandbox = createSandbox({ actions: [gate, add] });

// A store keeps texts.
const rows = new Map();
const store = {
  save: async (id, run) => void rows.set(id, JSON.stringify(run)),
  load: async (id) => JSON.parse(rows.get(id)),
};
const askHuman = async (question) => console.log('asking a human', question ?? '');

const script = 'data.sum = (await add({ a: 1, b: 1 })).sum; data.ok = (await gate({})).approved;';

async function start(runId) {
  try {
    await sandbox.eval({ script, data: {} });
  } catch (error) {
    if (error instanceof SandboxInterrupt) {
      await store.save(runId, {
        script, // the SAME script must be re-run to resume
        callLog: error.callLog,
        position: error.position,
        interruptState: error.interrupt.state,
      });
      await askHuman(error.interrupt.data); // e.g. render the approval prompt
      return;
    } else {
      throw error;
    }
  }
}

async function answer(runId) {
  const saved = await store.load(runId);

  const resumed = await sandbox.eval({
    script: saved.script,
    data: {},
    callLog: saved.callLog,
    resumption: {
      position: saved.position,
      data: 'yes', // the human's answer
      state: saved.interruptState, // the action's checkpoint, handed back verbatim
    },
  });
  // resumed.data => { sum: 2, ok: true }
  console.log(resumed.data);
}

async function answerToAnotherScript(runId) {
  const { callLog, position } = await store.load(runId);
  const script = 'data.now = Date.now(); data.ok = (await gate({})).approved;';
  const resumption = { position, data: 'yes' };
  try {
    await sandbox.eval({ script, data: {}, callLog, resumption });
  } catch (error) {
    if (error instanceof CallLogMismatchError) {
      // The script diverged from its log at error.position — it is not
      // deterministic and cannot be safely resumed.
      console.log('not the same script, in slot', error.position);
    }
  }
}

await start('run-1');
await answer('run-1');
await answerToAnotherScript('run-1');
