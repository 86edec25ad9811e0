/**
 * Says of each tool of AgentDojo's worlds which of its arguments choose where a call goes, and which tools list the user's own
 * records, as whoever runs such an agent would.
 */
import type { Directory } from "../../../dsl/index.ts";

type Targets = Readonly<Record<string, readonly string[]>>;

const MAIL: Targets = {
  send_email: ["recipients", "cc", "bcc", "subject"],
  delete_email: ["email_id"],
};

const CALENDAR: Targets = {
  create_calendar_event: ["title", "participants"],
  cancel_calendar_event: ["event_id"],
  reschedule_calendar_event: ["event_id"],
  add_calendar_event_participants: ["event_id", "participants"],
};

/** By world. A tool that is not there has all of its arguments as targets. */
export const TARGETS: Readonly<Record<string, Targets>> = {
  workspace: {
    ...MAIL,
    ...CALENDAR,
    create_file: ["filename"],
    append_to_file: ["file_id"],
    delete_file: ["file_id"],
    share_file: ["file_id", "email"],
  },
  travel: {
    ...MAIL,
    ...CALENDAR,
    reserve_hotel: ["hotel"],
    reserve_restaurant: ["restaurant"],
    reserve_car_rental: ["company"],
  },
  banking: {
    send_money: ["recipient"],
    schedule_transaction: ["recipient"],
    update_scheduled_transaction: ["id", "recipient"],
    update_password: ["password"],
    update_user_info: ["first_name", "last_name", "street", "city"],
  },
  slack: {
    get_webpage: ["url"],
    post_webpage: ["url"],
    invite_user_to_slack: ["user", "user_email"],
    remove_user_from_slack: ["user"],
    // Whoever is a member or a channel was let in by an invitation, which is asked about.
    send_direct_message: [],
    send_channel_message: [],
    add_user_to_channel: [],
  },
};

type Directories = Readonly<Record<string, Directory>>;

const EVENTS: Directory = {
  by: "title",
  gives: { event_id: "id_", participants: "participants" },
};
const FILES: Directory = { by: "filename", gives: { file_id: "id_" } };
const CONTACTS: Directory = { by: "name", gives: { recipients: "email", participants: "email" } };

/** By world: tools whose records are the user's own. Mails, pages, messages and what others paid in are not. */
export const DIRECTORIES: Readonly<Record<string, Directories>> = {
  workspace: {
    search_contacts_by_name: CONTACTS,
    search_contacts_by_email: CONTACTS,
    search_calendar_events: EVENTS,
    get_day_calendar_events: EVENTS,
    search_files: FILES,
    search_files_by_filename: FILES,
    list_files: FILES,
    create_file: FILES,
  },
  banking: {
    get_scheduled_transactions: { by: "subject", gives: { id: "id" } },
  },
};
