"""Deploys a template to moto, puts events on the bus, reads the queues, and deletes the stack.

Reads {"template": path, "events": [{...}], "region": ...} from standard input and writes the result to standard output.
Events are sent one by one, so that each message can be attributed to its event.
"""
import json
import sys
import urllib.request

import boto3

ENDPOINT, REQUEST = sys.argv[1], json.load(sys.stdin)
STACK = "test"


def client(service):
    return boto3.client(service, endpoint_url=ENDPOINT, region_name=REQUEST["region"],
                        aws_access_key_id="moto", aws_secret_access_key="moto")


cloudformation, sqs, events, iam = (client(service) for service in ("cloudformation", "sqs", "events", "iam"))


def state():
    return {
        "queues": sqs.list_queues().get("QueueUrls", []),
        "rules": [rule["Name"] for rule in events.list_rules()["Rules"]],
        "roles": [role["RoleName"] for role in iam.list_roles()["Roles"]],
    }


def create_named_roles(template):
    """Creates the roles that the template gets by name: another tool has created those."""
    for resource in json.loads(template)["Resources"].values():
        if resource["Type"] not in ("AWS::IAM::ManagedPolicy", "AWS::IAM::Policy"):
            continue
        for name in resource["Properties"].get("Roles", []):
            if isinstance(name, str) and name not in state()["roles"]:
                iam.create_role(RoleName=name, AssumeRolePolicyDocument="{}")


def deploy(template):
    # Every CDK template reads this parameter, which `cdk bootstrap` creates.
    client("ssm").put_parameter(Name="/cdk-bootstrap/hnb659fds/version", Value="30", Type="String", Overwrite=True)
    cloudformation.create_stack(StackName=STACK, TemplateBody=template, Capabilities=["CAPABILITY_NAMED_IAM"])
    return cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]["StackStatus"]


def send(event):
    entry = {"Source": event["source"], "DetailType": event["detail-type"], "Detail": json.dumps(event["detail"]), "Resources": event["resources"]}
    if events.put_events(Entries=[entry])["FailedEntryCount"]:
        raise SystemExit(f"moto refused {event}")
    return {name_of(url): len(drain(url)) for url in sqs.list_queues().get("QueueUrls", [])}


def delete(roles):
    # CloudFormation detaches managed policies before it deletes a role. moto does not, and refuses to delete the role.
    for role in roles:
        for policy in iam.list_attached_role_policies(RoleName=role)["AttachedPolicies"]:
            iam.detach_role_policy(RoleName=role, PolicyArn=policy["PolicyArn"])
    cloudformation.delete_stack(StackName=STACK)


def drain(url):
    messages = sqs.receive_message(QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=0).get("Messages", [])
    for message in messages:
        sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
    return messages


def name_of(url):
    return url.rsplit("/", 1)[1]


def main():
    # Start with an empty account: leftovers of a failed deployment would fail the next one.
    urllib.request.urlopen(urllib.request.Request(f"{ENDPOINT}/moto-api/reset", method="POST")).read()
    with open(REQUEST["template"], encoding="utf-8") as file:
        template = file.read()
    create_named_roles(template)
    before = state()
    status = deploy(template)
    deployed = state()
    attributes = {name_of(url): sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["All"])["Attributes"] for url in deployed["queues"]}
    received = [send(event) for event in REQUEST["events"]]
    delete(deployed["roles"])
    print(json.dumps({"status": status, "deployed": deployed, "queues": attributes, "received": received,
                      "leftBehind": {kind: sorted(set(names) - set(before[kind])) for kind, names in state().items()}}))


main()
