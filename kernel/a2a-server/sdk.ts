/** Loads the protocol's package: its types on the wire, its errors, its handlers of JSON-RPC of both versions. */

export type Sdk = Pick<
  typeof import("@a2a-js/sdk"),
  | ("AgentCard" | "Part" | "StreamResponse" | "Task" | "formatSSEEvent" | "formatSSEErrorEvent")
  | ("SendMessageRequest" | "SendMessageResponse" | "ListTasksRequest" | "ListTasksResponse")
  | ("TaskPushNotificationConfig" | "ListTaskPushNotificationConfigsRequest")
  | "ListTaskPushNotificationConfigsResponse"
> &
  Pick<
    typeof import("@a2a-js/sdk/errors"),
    | ("RequestMalformedError" | "TaskNotFoundError" | "TaskNotCancelableError")
    | ("UnsupportedOperationError" | "ContentTypeNotSupportedError" | "VersionNotSupportedError")
    | ("restStatusFor" | "toRestErrorBody")
  > &
  Pick<typeof import("@a2a-js/sdk/server"), "JsonRpcTransportHandler" | "ServerCallContext"> &
  Pick<typeof import("@a2a-js/sdk/compat/v0_3/server"), "LegacyJsonRpcTransportHandler">;

export async function loadSdk(): Promise<Sdk> {
  const [types, errors, server, legacy] = await Promise.all([
    import("@a2a-js/sdk"),
    import("@a2a-js/sdk/errors"),
    import("@a2a-js/sdk/server"),
    import("@a2a-js/sdk/compat/v0_3/server"),
  ]);
  return { ...legacy, ...server, ...errors, ...types };
}
