export * from 'intermission/run'
