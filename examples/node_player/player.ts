// Plays a hosted game by the server's own hints: a client made from the .proto files alone.
//
// It creates a game, or joins one whose seat it was given:
//
//     npm install && npm run build
//     npm start -- --bots 2
//     npm start -- --game ID --token TOKEN
//
// Servers may restart meanwhile. What this client does for that is all that a client has to do:
//
// - The service config (service_config.json) repeats calls that no server could answer.
// - It watches from the last version that it has, so that it misses nothing and sees nothing twice.
// - What it creates and plays has an idempotency key, and is repeated with it until it is answered:
//   it is done once.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import type { ProtoGrpcType } from "./generated/game_service";
import type { GameServiceClient } from "./generated/looot/v1/GameService";
import type { CreateGameRequest } from "./generated/looot/v1/CreateGameRequest";
import type { CreateGameResponse__Output as CreateGameResponse } from "./generated/looot/v1/CreateGameResponse";
import type { GetGameResponse__Output as GetGameResponse } from "./generated/looot/v1/GetGameResponse";
import type { GetHintResponse__Output as GetHintResponse } from "./generated/looot/v1/GetHintResponse";
import type { HostedGame__Output as HostedGame } from "./generated/looot/v1/HostedGame";
import type { SubmitActionsRequest } from "./generated/looot/v1/SubmitActionsRequest";
import type { SubmitActionsResponse__Output as SubmitActionsResponse } from "./generated/looot/v1/SubmitActionsResponse";
import type { WatchGameResponse__Output as WatchGameResponse } from "./generated/looot/v1/WatchGameResponse";

const TIMEOUT_MS = 30_000;
const PAUSE_MS = 500;
const MOST_FAILURES = 60;
// How a call ends whose server, or the balancer before it, is lost or has too much to do.
const AGAIN = [
  grpc.status.UNAVAILABLE,
  grpc.status.RESOURCE_EXHAUSTED,
  grpc.status.CANCELLED,
  grpc.status.DEADLINE_EXCEEDED,
  grpc.status.INTERNAL,
  grpc.status.UNKNOWN,
];

/** Plays one seat of a game, `gameId`; `token` is the secret of the seat. */
class Player {
  private version: number | undefined;
  private unanswered: SubmitActionsRequest | undefined;

  constructor(
    private readonly games: GameServiceClient,
    private readonly gameId: string,
    private readonly token: string,
    private readonly simulations: number,
  ) {}

  /** Plays to the end, and gives the game as it ended. */
  async play(): Promise<HostedGame> {
    let failures = 0;
    for (;;) {
      try {
        if (this.version !== undefined) {
          await this.move(); // nothing may happen before
        }
        for await (const message of this.watch()) {
          failures = 0;
          this.show(message);
          await this.move();
        }
        return (await this.stand()).game;
      } catch (error) {
        const code = (error as grpc.ServiceError).code;
        failures += 1;
        if (!AGAIN.includes(code) || failures > MOST_FAILURES) {
          throw error;
        }
        console.log(`lost the server (${grpc.status[code]}), go on from ${this.version}`);
        await pause(PAUSE_MS);
      }
    }
  }

  private watch(): AsyncIterable<WatchGameResponse> {
    return this.games.watchGame({ game_id: this.gameId, after_version: this.version });
  }

  private show(message: WatchGameResponse): void {
    if (message.game) {
      this.version = message.game.version;
    }
    for (const event of message.events) {
      if (this.version === undefined || event.version !== this.version + 1) {
        throw new Error(`event ${event.version} follows ${this.version}`);
      }
      this.version = event.version;
      const what = JSON.stringify(event[event.event!]);
      console.log(`${event.version} seat ${event.seat}: ${event.event} ${what}`);
    }
  }

  /** Plays the whole turn if it is this seat's. */
  private async move(): Promise<void> {
    const request = this.unanswered ?? (await this.decide());
    if (request === undefined) {
      return;
    }
    this.unanswered = request;
    try {
      await call<SubmitActionsResponse>((options, done) =>
        this.games.submitActions(request, options, done),
      );
    } catch (error) {
      if ((error as grpc.ServiceError).code !== grpc.status.ABORTED) {
        throw error; // perhaps it was done: it is repeated as it is
      }
      // The game has moved on: decide anew.
    }
    this.unanswered = undefined;
  }

  private async decide(): Promise<SubmitActionsRequest | undefined> {
    const { seat, game } = await this.stand();
    const turn = game.position?.current_player === seat && game.version === this.version;
    if (!turn || game.status === "GAME_STATUS_OVER") {
      return undefined;
    }
    const question = {
      game_id: this.gameId,
      token: this.token,
      options: { limits: { simulations: this.simulations } },
    };
    const { version, analysis } = await call<GetHintResponse>((options, done) =>
      this.games.getHint(question, options, done),
    );
    const [best] = analysis!.candidates;
    const chance = Math.round(100 * best.mover_win_probability!);
    console.log(`hint: wins ${chance}%, leads by ${best.mover_score_lead!.toFixed(1)}`);
    return {
      game_id: this.gameId,
      token: this.token,
      expected_version: version,
      idempotency_key: randomUUID(),
      actions: analysis!.turn,
    };
  }

  private async stand(): Promise<{ seat: number | undefined; game: HostedGame }> {
    const request = { game_id: this.gameId, token: this.token };
    const { seat, game } = await call<GetGameResponse>((options, done) =>
      this.games.getGame(request, options, done),
    );
    return { seat, game: game! };
  }
}

/** Makes a call with a deadline, as a promise. */
function call<Response>(
  begin: (options: grpc.CallOptions, done: grpc.requestCallback<Response>) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    begin({ deadline: Date.now() + TIMEOUT_MS }, (error, response) =>
      error ? reject(error) : resolve(response!),
    );
  });
}

/** Creates a game against bots, and gives its id and the token of seat 0. */
async function create(games: GameServiceClient, bots: number, level: number) {
  const bot = { bot: { level, limits: { simulations: 50 } } };
  const request: CreateGameRequest = {
    seats: [{ human: {} }, ...Array<typeof bot>(bots).fill(bot)],
    random: { edition: "EDITION_PRINTED" },
    idempotency_key: randomUUID(), // a secret: whoever knows it has the tokens
  };
  for (let failures = 1; ; failures += 1) {
    try {
      const { game, seat_tokens } = await call<CreateGameResponse>((options, done) =>
        games.createGame(request, options, done),
      );
      return { gameId: game!.game_id, token: seat_tokens[0].token };
    } catch (error) {
      if (!AGAIN.includes((error as grpc.ServiceError).code) || failures > MOST_FAILURES) {
        throw error;
      }
      await pause(PAUSE_MS);
    }
  }
}

function connect(address: string, protos: string): GameServiceClient {
  const definition = loadSync("looot/v1/game_service.proto", {
    includeDirs: [protos],
    keepCase: true,
    longs: Number,
    enums: String,
    defaults: true,
    oneofs: true,
  });
  const { looot } = grpc.loadPackageDefinition(definition) as unknown as ProtoGrpcType;
  const config = readFileSync(new URL("../../service_config.json", import.meta.url), "utf-8");
  return new looot.v1.GameService(address, grpc.credentials.createInsecure(), {
    "grpc.service_config": config,
  });
}

const { values } = parseArgs({
  options: {
    address: { type: "string", default: "localhost:50051" },
    protos: { type: "string", default: "../../proto" },
    game: { type: "string" },
    token: { type: "string" },
    bots: { type: "string", default: "1" },
    level: { type: "string", default: "5" },
    simulations: { type: "string", default: "100" },
  },
});
if ((values.game === undefined) !== (values.token === undefined)) {
  throw new Error("--game and --token go together");
}
const games = connect(values.address, values.protos);
const { gameId, token } =
  values.game && values.token
    ? { gameId: values.game, token: values.token }
    : await create(games, Number(values.bots), Number(values.level));
console.log(`game ${gameId}`);
const ended = await new Player(games, gameId, token, Number(values.simulations)).play();
console.log("points:", ended.score!.seats.map((seat) => seat.total).join(", "));
console.log("won by:", ended.score!.winners.map((seat) => `seat ${seat}`).join(", "));
games.close();
