#!/usr/bin/env bash
# Builds the package: ./build.sh [debug|release] builds the addon for this machine, the TypeScript, and its tests.
# `npm test` then runs them. Without the addon having changed, `npm run build` is enough.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

profile=${1:-release}
# With all the others where they are built alike: by itself it would ask for other features of what it depends on.
if [ "$profile" = debug ]; then
    cargo build --locked --workspace --all-targets
else
    cargo build --locked --package intermission-node --release
fi

# Where cargo has put it: the target folder may be anywhere.
target=$(cargo metadata --format-version 1 --no-deps --locked | node -p 'JSON.parse(require("fs").readFileSync(0, "utf8")).target_directory')
case "$(uname -s)" in
    Darwin) library=libintermission_node.dylib ;;
    MINGW* | MSYS*) library=intermission_node.dll ;;
    *) library=libintermission_node.so ;;
esac

[ -d node_modules ] || npm ci --no-audit --no-fund
rm -rf dist build
npx tsc -p tsconfig.json
folder=prebuilds/$(node --input-type=module -e 'import("./dist/platform.js").then(({ platform }) => console.log(platform()))')
mkdir -p "$folder"
# In place of the old file, never into it: a process may have it open.
cp "$target/$profile/$library" "$folder/intermission.node.new"
mv "$folder/intermission.node.new" "$folder/intermission.node"
npx tsc -p test/tsconfig.json
