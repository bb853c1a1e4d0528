// Calls the service as a front end does. The driver calls `check`, and prints what it answers.
import { type JsonValue, fromJson, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport, createClient } from "@connectrpc/connect";
import { createConnectTransport, createGrpcWebTransport } from "@connectrpc/connect-web";
import { ErrorInfoSchema } from "./google/rpc/error_details_pb";
import {
  AnalyzeRequestSchema,
  EngineService,
  PlayTurnRequestSchema,
  PlayTurnResponseSchema,
  SuggestRequestSchema,
} from "./looot/v1/engine_service_pb";

const transports: Record<string, (options: { baseUrl: string }) => Transport> = {
  connect: createConnectTransport,
  "grpc-web": createGrpcWebTransport,
};

async function check(baseUrl: string, protocol: string, position: JsonValue) {
  const engine = createClient(EngineService, transports[protocol]({ baseUrl }));

  async function unary() {
    const options = { limits: { simulations: "20" } };
    const request = fromJson(PlayTurnRequestSchema, { position, options });
    return toJson(PlayTurnResponseSchema, await engine.playTurn(request));
  }

  async function error() {
    const refusal = await failure(engine.playTurn({}));
    const [info] = refusal.findDetails(ErrorInfoSchema);
    return { code: Code[refusal.code], reason: info.reason, message: refusal.rawMessage };
  }

  // The server's test answers `began` as soon as the search has begun.
  async function abort() {
    const abort = new AbortController();
    const request = fromJson(SuggestRequestSchema, { position, options: endless });
    const call = failure(engine.suggest(request, { signal: abort.signal }));
    await fetch("began");
    abort.abort();
    return Code[(await call).code];
  }

  async function stream() {
    const options = { limits: { time: "1s" } };
    const request = fromJson(AnalyzeRequestSchema, { position, options, interval: "0.1s" });
    const answers = [];
    for await (const answer of engine.analyze(request)) {
      answers.push({ final: answer.final, simulations: Number(answer.analysis!.simulations) });
    }
    return answers;
  }

  async function abortStream() {
    const abort = new AbortController();
    const request = fromJson(AnalyzeRequestSchema, { position, options: endless });
    const reading = async () => {
      for await (const _ of engine.analyze(request, { signal: abort.signal })) {
        abort.abort();
      }
    };
    return Code[(await failure(reading())).code];
  }

  return {
    abort: await abort(), // first, so that it is its search that begins
    unary: await unary(),
    error: await error(),
    stream: await stream(),
    abortStream: await abortStream(),
  };
}

const endless = { limits: { time: "30s" } };

async function failure(call: Promise<unknown>): Promise<ConnectError> {
  try {
    await call;
  } catch (error) {
    return ConnectError.from(error);
  }
  throw new Error("the call did not fail");
}

Object.assign(window, { check });
