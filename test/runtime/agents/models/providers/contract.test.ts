/** Holds each provider to the contract of providers. */
import { providerContract } from "../../../../contract/provider.ts";
import { anthropicMessages } from "../../../../support/providers/anthropic-messages.ts";
import { bedrockConverse } from "../../../../support/providers/bedrock-converse.ts";
import { googleGenerate } from "../../../../support/providers/google-generate.ts";
import {
  compatibleChat,
  mistralChat,
  openAiChat,
} from "../../../../support/providers/openai-chat.ts";
import { azureResponses, openAiResponses } from "../../../../support/providers/openai-responses.ts";

providerContract(openAiResponses);
providerContract(openAiChat);
providerContract(anthropicMessages);
providerContract(googleGenerate);
providerContract(azureResponses);
providerContract(bedrockConverse);
providerContract(mistralChat);
providerContract(compatibleChat);
