"""What people call the columns of their tables of messages, and those who speak in them. Pure.

Names are compared without regard to case and signs: `Created at`, `created_at` and `createdAt` are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reviewer.imports.maps.mapfile import Speaker


def squashed(name: str) -> str:
    """A name in small letters and figures alone."""
    return "".join([each for each in name.lower() if each.isalnum()])


def _listed(names: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(squashed, names.split())))


IDS = _listed(
    "conversation_id ticket_id session_id thread_id chat_id call_id dialogue_id dialog_id conv_id interaction_id "
    "conversation ticket session thread chat dialogue dialog call id uuid case_id"
)
TEXTS = _listed(
    "text body_text plain_body message_text text_body body message content utterance html_body body_html msg value "
    "comment transcript answer response said txt line speech note description"
)
SPEAKERS = _listed(
    "role speaker author_role author_type sender_type speaker_role participant_role from_type author sender from "
    "participant actor user_type direction source type name author_id sender_id user_id"
)
TIMES = _listed(
    "created_at timestamp time sent_at created date datetime ts created_datetime sent_datetime entry_time "
    "message_time updated_at"
)
STARTED = _listed("started_at start_time started start_at start_timestamp created_at created timestamp date")
ENDED = _listed("ended_at end_time ended end_at end_timestamp closed_at finished_at completed_at")
ENDED_BY = _listed("ended_by ended_reason end_reason disconnection_reason disconnect_reason termination_reason")
ORDERS = _listed("turn turn_id turn_index seq sequence index message_index position order step n")
MODELS = _listed("model model_name llm agent_name bot_name assistant_name agent_id bot_id")
CASES = _listed("case task task_id scenario scenario_id test_case test_id case_id")
RUNS = _listed("run run_number trial epoch attempt repetition repeat")
REASONING = _listed("reasoning thinking reasoning_content thoughts chain_of_thought")
CALLS = _listed("tool_calls function_calls tools_called")
CALL = {
    "name": _listed("tool_name function_name tool"),
    "arguments": _listed("tool_arguments tool_args tool_input arguments function_arguments"),
    "result": _listed("tool_result tool_output function_result observation"),
}
SCORES = _listed(
    "csat nps ces score reward satisfaction_score success resolved quality correct correctness "
    "sentiment_score qa_score feedback_score thumbs"
)
OPINIONS = _listed("rating user_rating customer_rating satisfaction customer_satisfaction")
"""What may be a score, of the agent or of something else, and may be a word: only a person knows."""
NUMBERS = {
    "tokens_in": _listed("tokens_in input_tokens prompt_tokens llm_prompt_tokens"),
    "tokens_out": _listed("tokens_out output_tokens completion_tokens llm_completion_tokens"),
    "cost": _listed("cost cost_usd total_cost price"),
}
ASKED = _listed(
    "question prompt user_utterance user_message user_input input query user_query request customer_message user human"
)
ANSWERED = _listed(
    "answer response system_response output assistant_message assistant_response bot_response bot_message "
    "agent_response reply completion generation model_output assistant bot"
)
REQUESTERS = _listed("requester_id requester customer_id contact_id visitor_id end_user_id")
AUTHORS = _listed("author_id sender_id from_id author sender user_id")
FLAGS: Mapping[str, tuple[Speaker, Speaker]] = {
    **dict.fromkeys(
        _listed("incoming is_incoming inbound is_inbound from_customer from_user is_customer is_user"),
        ("customer", "agent"),
    ),
    **dict.fromkeys(
        _listed("from_agent is_agent outgoing is_outgoing outbound is_outbound from_bot is_bot is_assistant from_ai"),
        ("agent", "customer"),
    ),
}
"""Who speaks where such a column says yes, and where it says no."""
_WHO: Mapping[Speaker, Iterable[str]] = {
    "agent": (
        *("bot", "assistant", "agent", "ai", "ai agent", "model", "gpt", "chatbot", "virtual agent", "voicebot"),
        *(
            "virtual assistant",
            "support",
            "outbound",
            "outgoing",
            "llm",
            "out",
            "chatgpt",
            "agentforce",
            "tool call",
            "tool calls",
        ),
        *("assistent", "asistente", "assistente", "agente", "ki"),
    ),
    "customer": (
        *("user", "customer", "human", "end user", "visitor", "contact", "lead", "shopper", "buyer", "member"),
        *("client", "requester", "caller", "inbound", "incoming", "consumer", "patient", "passenger", "guest", "in"),
        *("kunde", "kundin", "nutzer", "cliente", "klant", "usuario", "utilisateur"),
    ),
    "colleague": (
        *("admin", "staff", "teammate", "operator", "human agent", "live agent", "mitarbeiter"),
        *("supervisor", "employee", "representative", "rep"),
    ),
    "system": ("system", "event", "developer", "automation", "workflow", "automator"),
    "tool": ("tool", "function", "tool result", "tool call result", "function response", "observation"),
}
KNOWN: Mapping[str, Speaker] = {squashed(word): who for who, each in _WHO.items() for word in each}
BOTS = frozenset(_listed("bot assistant ai ai_agent model chatbot virtual_agent"))
