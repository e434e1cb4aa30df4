// Posts a script, and says yes to what it asks: node client.mjs [http://127.0.0.1:8080]
const [base = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const post = async (path, body) => await (await fetch(base + path, { method: 'POST', body })).json()

const asking = await post('/runs', "const bill = await bills.find('may'); return await pay(bill)")
console.log('it asks:', JSON.stringify(asking.questions.map(({ id, ...question }) => question)))
const done = await post('/answers', JSON.stringify({ token: asking.token, id: asking.questions[0].id, approve: true }))
console.log('it says:', done.value)
